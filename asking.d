asking.o: tests/bench/asking.c model/banned.h tests/bench/asking.h \
  tests/bench/../../model/strbuf.h tests/bench/../../model/json.h \
  model/error.h model/strbuf.h tests/bench/../../store/store.h \
  tests/bench/../../store/../model/arena.h \
  tests/bench/../../store/../model/error.h \
  tests/bench/../../store/../model/memory.h model/ref.h model/kind.h \
  model/source_type.h tests/bench/bare.h

model/banned.h:

tests/bench/asking.h:

tests/bench/../../model/strbuf.h:

tests/bench/../../model/json.h:

model/error.h:

model/strbuf.h:

tests/bench/../../store/store.h:

tests/bench/../../store/../model/arena.h:

tests/bench/../../store/../model/error.h:

tests/bench/../../store/../model/memory.h:

model/ref.h:

model/kind.h:

model/source_type.h:

tests/bench/bare.h:
