test_kept_links.o: tests/store/test_kept_links.c model/banned.h \
  tests/store/../../model/strbuf.h tests/store/../../store/answer.h \
  tests/store/../../store/../model/exchange_parts.h model/memory.h \
  model/ref.h model/kind.h model/source_type.h model/strbuf.h \
  tests/store/../../store/../model/strbuf.h \
  tests/store/../../store/orphans.h \
  tests/store/../../store/../model/graph.h \
  tests/store/../../store/store.h \
  tests/store/../../store/../model/arena.h \
  tests/store/../../store/../model/error.h \
  tests/store/../../store/../model/memory.h \
  tests/store/../../store/tracing.h \
  tests/store/../../store/kept_labels.h \
  tests/store/../../store/subgraph.h \
  tests/store/../../store/../model/lineage.h model/graph.h \
  tests/store/../../store/closure.h tests/store/../../store/kept_links.h \
  tests/store/../support/random.h \
  tests/store/../support/../../model/arena.h \
  tests/store/../support/../../model/strbuf.h \
  tests/store/../support/store_fixture.h \
  tests/store/../support/../../store/store.h \
  tests/store/../support/../../store/writer.h

model/banned.h:

tests/store/../../model/strbuf.h:

tests/store/../../store/answer.h:

tests/store/../../store/../model/exchange_parts.h:

model/memory.h:

model/ref.h:

model/kind.h:

model/source_type.h:

model/strbuf.h:

tests/store/../../store/../model/strbuf.h:

tests/store/../../store/orphans.h:

tests/store/../../store/../model/graph.h:

tests/store/../../store/store.h:

tests/store/../../store/../model/arena.h:

tests/store/../../store/../model/error.h:

tests/store/../../store/../model/memory.h:

tests/store/../../store/tracing.h:

tests/store/../../store/kept_labels.h:

tests/store/../../store/subgraph.h:

tests/store/../../store/../model/lineage.h:

model/graph.h:

tests/store/../../store/closure.h:

tests/store/../../store/kept_links.h:

tests/store/../support/random.h:

tests/store/../support/../../model/arena.h:

tests/store/../support/../../model/strbuf.h:

tests/store/../support/store_fixture.h:

tests/store/../support/../../store/store.h:

tests/store/../support/../../store/writer.h:
