kept_orphans.o: store/kept_orphans.c model/banned.h store/kept_orphans.h \
  store/orphans.h store/../model/graph.h model/kind.h model/memory.h \
  model/ref.h model/source_type.h store/store.h store/../model/arena.h \
  store/../model/error.h store/../model/memory.h store/../model/alloc.h \
  store/../model/clock.h store/../model/strbuf.h store/reader.h \
  store/db.h store/store_state.h

model/banned.h:

store/kept_orphans.h:

store/orphans.h:

store/../model/graph.h:

model/kind.h:

model/memory.h:

model/ref.h:

model/source_type.h:

store/store.h:

store/../model/arena.h:

store/../model/error.h:

store/../model/memory.h:

store/../model/alloc.h:

store/../model/clock.h:

store/../model/strbuf.h:

store/reader.h:

store/db.h:

store/store_state.h:
