closure.o: store/closure.c model/banned.h store/closure.h \
  store/kept_labels.h store/subgraph.h store/../model/graph.h \
  model/kind.h model/memory.h model/ref.h model/source_type.h \
  store/../model/lineage.h model/graph.h store/store.h \
  store/../model/arena.h store/../model/error.h store/../model/memory.h \
  store/../model/alloc.h store/around.h store/kept_links.h \
  store/../model/strbuf.h store/reader.h store/db.h

model/banned.h:

store/closure.h:

store/kept_labels.h:

store/subgraph.h:

store/../model/graph.h:

model/kind.h:

model/memory.h:

model/ref.h:

model/source_type.h:

store/../model/lineage.h:

model/graph.h:

store/store.h:

store/../model/arena.h:

store/../model/error.h:

store/../model/memory.h:

store/../model/alloc.h:

store/around.h:

store/kept_links.h:

store/../model/strbuf.h:

store/reader.h:

store/db.h:
