wire.o: tests/bench/wire.c model/banned.h tests/bench/wire.h \
  tests/bench/../../model/strbuf.h tests/bench/report.h

model/banned.h:

tests/bench/wire.h:

tests/bench/../../model/strbuf.h:

tests/bench/report.h:
