import type { ReactNode } from 'react';
import { SectionFrame } from '../../kit/section-nav.tsx';
import './notebooks.css';

/** The pages of this memory. */
export const NotebooksFrame = ({ children }: { readonly children: ReactNode }) => (
  <SectionFrame
    name="Notebooks"
    places={[
      { to: '/notebooks', label: 'Scratchpads' },
      { to: '/notebooks/-/trash', label: 'Trash' },
    ]}
  >
    {children}
  </SectionFrame>
);
