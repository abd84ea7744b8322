-- What happened to one object, in order: list_events with object_kind and object_id.
create index event_object on event (object_kind, object_id, id);
