bench_mcp.o: tests/bench/bench_mcp.c model/banned.h tests/bench/asking.h \
  tests/bench/../../model/strbuf.h tests/bench/bare.h \
  tests/bench/../../store/store.h \
  tests/bench/../../store/../model/arena.h \
  tests/bench/../../store/../model/error.h \
  tests/bench/../../store/../model/memory.h model/ref.h model/kind.h \
  model/source_type.h tests/bench/report.h tests/bench/serving.h \
  tests/bench/wire.h

model/banned.h:

tests/bench/asking.h:

tests/bench/../../model/strbuf.h:

tests/bench/bare.h:

tests/bench/../../store/store.h:

tests/bench/../../store/../model/arena.h:

tests/bench/../../store/../model/error.h:

tests/bench/../../store/../model/memory.h:

model/ref.h:

model/kind.h:

model/source_type.h:

tests/bench/report.h:

tests/bench/serving.h:

tests/bench/wire.h:
