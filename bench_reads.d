bench_reads.o: tests/bench/bench_reads.c model/banned.h \
  tests/bench/asking.h tests/bench/../../model/strbuf.h \
  tests/bench/report.h tests/bench/serving.h tests/bench/wire.h

model/banned.h:

tests/bench/asking.h:

tests/bench/../../model/strbuf.h:

tests/bench/report.h:

tests/bench/serving.h:

tests/bench/wire.h:
