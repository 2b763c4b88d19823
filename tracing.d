tracing.o: store/tracing.c model/banned.h store/tracing.h \
  store/kept_labels.h store/subgraph.h store/../model/graph.h \
  model/kind.h model/memory.h model/ref.h model/source_type.h \
  store/../model/lineage.h model/graph.h store/store.h \
  store/../model/arena.h store/../model/error.h store/../model/memory.h \
  store/closure.h

model/banned.h:

store/tracing.h:

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

store/closure.h:
