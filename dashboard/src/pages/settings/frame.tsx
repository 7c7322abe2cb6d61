import type { ReactNode } from 'react';
import { useCaller } from '../../api/caller.tsx';
import { Empty } from '../../kit/feedback.tsx';
import { Page } from '../../kit/page.tsx';
import { SectionFrame } from '../../kit/section-nav.tsx';
import './settings.css';

type Needs = 'read' | 'admin' | 'operator';

/** The pages of the settings; what the scope forbids is not offered. */
const settingsPages: readonly { readonly to: string; readonly label: string; readonly needs: Needs }[] = [
  { to: '/settings/connect', label: 'Connect', needs: 'read' },
  { to: '/settings/keys', label: 'Keys', needs: 'admin' },
  { to: '/settings/connectors', label: 'Connectors', needs: 'read' },
  { to: '/settings/metrics', label: 'Metrics', needs: 'read' },
  { to: '/settings/tenants', label: 'Tenants', needs: 'operator' },
  { to: '/settings/backups', label: 'Backups', needs: 'operator' },
  { to: '/settings/jobs', label: 'Jobs', needs: 'operator' },
  { to: '/settings/values', label: 'Settings', needs: 'operator' },
];

/** Reading is possible on a server that only reads, so the permission to write does not matter here. */
export function useMaySee(needs: Needs): boolean {
  const { scopes, isOperator } = useCaller();
  if (needs === 'operator') return isOperator;
  return needs === 'read' || scopes.includes('admin');
}

interface FrameProps {
  readonly title: string;
  readonly answer?: ReactNode;
  readonly actions?: ReactNode;
  readonly needs: Needs;
  /** Only called if the caller may see the page. */
  readonly children: () => ReactNode;
}

/** A page of the settings with the links to the others. */
export function SettingsFrame({ title, answer, actions, needs, children }: FrameProps) {
  const maySee = useMaySee(needs);
  const { scopes, isOperator } = useCaller();
  const shown = settingsPages.filter(
    ({ needs: needed }) => needed === 'read' || (needed === 'operator' ? isOperator : scopes.includes('admin')),
  );
  return (
    <SectionFrame name="Settings" places={shown}>
      <Page title={title} {...(maySee && { answer, actions })}>
        {maySee ? (
          children()
        ) : (
          <Empty
            title={
              needs === 'operator'
                ? 'This page is for the operator, an admin of the tenant local.'
                : 'This page needs the scope admin.'
            }
            example="fourfold keys create operator --scopes admin"
          >
            Your key cannot open it. Sign in with a key that can.
          </Empty>
        )}
      </Page>
    </SectionFrame>
  );
}
