import { type Caller, localTenant, type TenantId, toTenantId } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';

/** Administers the whole server: its tenants, settings, jobs and backups. */
export const isOperator = ({ tenant, scopes }: Caller): boolean => tenant === localTenant && scopes.has('admin');

const fix =
  'Use a key with the scope admin of the tenant local; fourfold keys create <name> --scopes admin creates one.';

const operatorOnly = (what: string) =>
  faults.PERMISSION_DENIED({ why: `${what} requires the operator, an admin of the tenant local` }, { fix });

export function expectOperator(caller: Caller, what: string): void {
  if (!isOperator(caller)) throw operatorOnly(what);
}

/** The tenant to act on: the caller's own, or another one if the caller is the operator. */
export function chooseTenant(caller: Caller, wanted: string | undefined): TenantId {
  if (wanted === undefined || wanted === caller.tenant) return caller.tenant;
  if (!isOperator(caller)) throw operatorOnly('another tenant');
  return toTenantId(wanted);
}
