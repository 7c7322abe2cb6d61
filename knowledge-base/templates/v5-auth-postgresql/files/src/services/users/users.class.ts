// <<model>>
Model: app.get('postgresqlClient'),
