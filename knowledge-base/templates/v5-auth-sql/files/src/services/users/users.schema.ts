// <<id>>
id: Type.Integer(),
// <<own-id>>
id: async (value, _query, { params }) => params.user?.id ?? value,
