serving.o: tests/bench/serving.c model/banned.h tests/bench/serving.h \
  tests/bench/wire.h tests/bench/../../model/strbuf.h

model/banned.h:

tests/bench/serving.h:

tests/bench/wire.h:

tests/bench/../../model/strbuf.h:
