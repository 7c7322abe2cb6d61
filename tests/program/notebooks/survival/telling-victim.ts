import { startProgram } from '#tests/support/program.ts';
import { converse, type Victim } from '../../instructions/survival/victim.ts';

/** A victim whose failed calls tell what it said on stderr: nobody can ask it afterwards. */
export async function startTelling(env: Readonly<Record<string, string>>): Promise<Victim> {
  const child = startProgram([], env);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const victim = await converse(child);
  return {
    ...victim,
    async call(name, args) {
      try {
        return await victim.call(name, args);
      } catch (error) {
        throw new Error(`${(error as Error).message}\n${said.slice(-4000)}`, { cause: error });
      }
    },
  };
}
