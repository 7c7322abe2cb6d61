import { Navigate } from '@tanstack/react-router';
import { useMaySee } from './frame.tsx';

/** Opens the first page that the caller may use. */
export const Page = () => <Navigate to={useMaySee('admin') ? '/settings/keys' : '/settings/connect'} replace />;
