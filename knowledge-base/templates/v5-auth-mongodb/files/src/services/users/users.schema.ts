import { ObjectIdSchema } from '@feathersjs/typebox';

// <<id>>
_id: ObjectIdSchema(),
// <<own-id>>
_id: async (value, _query, { params }) => params.user?._id ?? value,
