packed_links.o: store/packed_links.c model/banned.h store/packed_links.h \
  store/db.h store/../model/arena.h store/../model/error.h \
  store/kept_links.h store/../model/graph.h model/kind.h model/memory.h \
  model/ref.h model/source_type.h store/../model/strbuf.h store/store.h \
  store/../model/memory.h store/reader.h

model/banned.h:

store/packed_links.h:

store/db.h:

store/../model/arena.h:

store/../model/error.h:

store/kept_links.h:

store/../model/graph.h:

model/kind.h:

model/memory.h:

model/ref.h:

model/source_type.h:

store/../model/strbuf.h:

store/store.h:

store/../model/memory.h:

store/reader.h:
