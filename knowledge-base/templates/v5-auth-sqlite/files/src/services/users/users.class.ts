// <<model>>
Model: app.get('sqliteClient'),
