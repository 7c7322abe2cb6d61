/** No fault makes a larger answer, on any surface. The limits of messages, fixes and details follow from it. */
export const faultBytes = 64 * 1024;
