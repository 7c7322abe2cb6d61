const { BadRequest } = require('@feathersjs/errors');

const textMax = 400;

// Only what is known is kept: a caller can write no other field.
const checkMessage = (context) => {
  const { text } = context.data ?? {};

  if (typeof text !== 'string' || text.trim() === '' || text.length > textMax) {
    throw new BadRequest(`text must be 1 to ${textMax} characters`, { errors: { text: 'is required' } });
  }

  context.data = { text };
};

const addTime = (context) => {
  context.data = { ...context.data, createdAt: Date.now() };
};

module.exports = { addTime, checkMessage };
