import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { isSignedOut, request } from '../../api/call.ts';
import { Button } from '../../kit/button.tsx';
import { ErrorNote, Loading } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { useTitle } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';

/** Only a path of this server: an address of another one would make this page a trap. */
const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])/.test(path);

/** Why the way back from the authorization server ended here. */
const problems: Readonly<Record<string, string>> = {
  denied: 'The access was not allowed.',
  expired: 'The sign-in took too long or was started in another browser. Try again.',
  refused: 'The authorization server did not confirm a person with access to this server.',
  unavailable: 'The authorization server does not answer. Try again in a moment, or sign in with a key.',
};

/** The fix of a wrong key is for programs; the hint below the field is for people. */
const withoutFix = (error: unknown): unknown => (isSignedOut(error) ? new Error((error as Error).message) : error);

interface SessionWays {
  readonly oauth?: { readonly host: string; readonly path: string };
}

/** Exchanges a link, a key or an access token for a session cookie. The link is in the part of the address after `#`. */
export function SignIn() {
  useTitle('Sign in');
  const [{ from, problem }] = useSearchState();
  const ways = useQuery({
    queryKey: ['session-ways'],
    queryFn: async ({ signal }) => (await request('/api/session', { signal })) as SessionWays,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const oauth = ways.data?.oauth;
  const [credential, setCredential] = useState('');
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [hasLink, setHasLink] = useState(location.hash !== '');
  const client = useQueryClient();
  const navigate = useNavigate();
  const hasTried = useRef(false);

  async function signIn(text: string) {
    setBusy(true);
    setError(undefined);
    try {
      await request('/api/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ credential: text }),
      });
      client.clear();
      await navigate({ to: isOwnPath(from) ? from : '/', replace: true });
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      setHasLink(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is tried once, when the page opens
  useEffect(() => {
    const link = location.hash.slice(1);
    if (link === '' || hasTried.current) return;
    hasTried.current = true;
    // The link must not stay in the history of the browser.
    history.replaceState(history.state, '', location.pathname + location.search);
    void signIn(link);
  }, []);

  function submit(event: SubmitEvent) {
    event.preventDefault();
    void signIn(credential);
  }

  if (hasLink) {
    return (
      <main className="sign-in">
        <Loading what="Signing in" />
      </main>
    );
  }
  return (
    <main className="sign-in">
      <form onSubmit={submit}>
        <div>
          <h1>Fourfold</h1>
          <p className="soft">Four memories for AI agents: rules, docs, notes and facts.</p>
        </div>
        {problem !== undefined && Object.hasOwn(problems, problem) && <p role="alert">{problems[problem]}</p>}
        {oauth !== undefined && (
          <a
            className="button"
            data-kind="primary"
            href={`${oauth.path}?from=${encodeURIComponent(isOwnPath(from) ? from : '/')}`}
          >
            Sign in with {oauth.host}
          </a>
        )}
        <TextField
          label="Key or access token"
          type="password"
          autoComplete="current-password"
          hasFocus
          value={credential}
          onChange={(event) => setCredential(event.target.value)}
          hint={
            <>
              The program prints a sign-in link when it starts. <code>fourfold link</code> prints another one.
            </>
          }
        />
        {error !== undefined && <ErrorNote error={withoutFix(error)} />}
        <Button
          type="submit"
          {...(oauth === undefined && { kind: 'primary' })}
          disabled={isBusy || credential.trim() === ''}
        >
          Sign in
        </Button>
      </form>
    </main>
  );
}
