import type { ReactNode } from 'react';
import { SectionFrame } from '../../kit/section-nav.tsx';
import './knowledge.css';

/** The pages of this memory. */
export const KnowledgeFrame = ({ children }: { readonly children: ReactNode }) => (
  <SectionFrame
    name="Knowledge"
    places={[
      { to: '/knowledge', label: 'Libraries' },
      { to: '/knowledge/-/search', label: 'Search' },
    ]}
  >
    {children}
  </SectionFrame>
);
