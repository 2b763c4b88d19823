retracting.o: store/retracting.c model/banned.h store/../model/alloc.h \
  store/around.h store/kept_links.h store/../model/graph.h model/kind.h \
  model/memory.h model/ref.h model/source_type.h store/../model/strbuf.h \
  store/store.h store/../model/arena.h store/../model/error.h \
  store/../model/memory.h store/subgraph.h store/../model/lineage.h \
  model/graph.h store/closure.h store/kept_labels.h store/reader.h \
  store/db.h store/tracing.h

model/banned.h:

store/../model/alloc.h:

store/around.h:

store/kept_links.h:

store/../model/graph.h:

model/kind.h:

model/memory.h:

model/ref.h:

model/source_type.h:

store/../model/strbuf.h:

store/store.h:

store/../model/arena.h:

store/../model/error.h:

store/../model/memory.h:

store/subgraph.h:

store/../model/lineage.h:

model/graph.h:

store/closure.h:

store/kept_labels.h:

store/reader.h:

store/db.h:

store/tracing.h:
