import { feedbackGet } from './tools/feedback-get.ts';
import { feedbackHealth } from './tools/feedback-health.ts';
import { feedbackList } from './tools/feedback-list.ts';
import { feedbackStats } from './tools/feedback-stats.ts';
import { feedbackSubmit } from './tools/feedback-submit.ts';
import { feedbackUpdate } from './tools/feedback-update.ts';

export const feedbackTools = [
  feedbackSubmit,
  feedbackList,
  feedbackGet,
  feedbackUpdate,
  feedbackStats,
  feedbackHealth,
] as const;
