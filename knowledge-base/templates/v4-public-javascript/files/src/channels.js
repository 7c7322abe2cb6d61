// Everybody who is connected hears of everything.
const channels = (app) => {
  app.on('connection', (connection) => app.channel('everybody').join(connection));
  app.publish(() => app.channel('everybody'));
};

module.exports = { channels };
