import { useTool } from '../api/use-tool.ts';

/** Who did something: the name of the key, and the recorded actor on hover. */
export function Actor({ of: actor }: { readonly of: string }) {
  const enabled = actor.startsWith('key:');
  const { data } = useTool('actors_name', { actors: [actor] }, { enabled, isLive: false });
  return <bdi title={actor}>{data?.names[actor] ?? actor}</bdi>;
}
