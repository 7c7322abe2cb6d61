import { listCapabilities } from './tools/list-capabilities.ts';
import { registerCapability } from './tools/register-capability.ts';
import { removeCapability } from './tools/remove-capability.ts';

export const capabilityTools = [listCapabilities, registerCapability, removeCapability] as const;
