import { listTimelineEvents } from './tools/list-timeline-events.ts';

export const timelineTools = [listTimelineEvents];
