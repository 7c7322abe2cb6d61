import type { ReactNode } from 'react';
import { useWaiting } from '../../api/waiting.ts';
import { SectionFrame } from '../../kit/section-nav.tsx';
import './truth.css';

/** The pages of this memory. */
export function TruthFrame({ children }: { readonly children: ReactNode }) {
  const waiting = useWaiting();
  const countOf = (kind: string) => waiting.find((one) => one.kind === kind)?.count;
  return (
    <SectionFrame
      name="Truth"
      places={[
        { to: '/truth', label: 'Entities' },
        { to: '/truth/contradictions', label: 'Contradictions', waiting: countOf('contradictions') },
        { to: '/truth/duplicates', label: 'Duplicates', waiting: countOf('duplicates') },
        { to: '/truth/records', label: 'Records and files' },
      ]}
    >
      {children}
    </SectionFrame>
  );
}
