import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plantedCells } from './cells.fixture.ts';
import {
  type Json,
  type NotebookProgram,
  openNotebooks,
  type ValidationResult,
  type Written,
} from './notebook-program.ts';

const checked = plantedCells.filter(({ language }) => language !== 'txt');
const inOne = (which: 'sound' | 'broken'): readonly Json[] =>
  plantedCells.map((cell) => ({ cell_id: `${cell.language}-${which}`, language: cell.language, content: cell[which] }));

describe('validation through a real client', () => {
  let program: NotebookProgram;
  const validate = async (scratch_id: string, cell_ids?: readonly string[]) =>
    (
      await program.call<{ results: readonly ValidationResult[] }>('scratch_validate', {
        scratch_id,
        ...(cell_ids === undefined ? {} : { cell_ids }),
      })
    ).results;

  beforeAll(async () => {
    program = await openNotebooks();
    await program.call('scratch_create', { scratch_id: 'all', cells: [...inOne('sound'), ...inOne('broken')] });
  });
  afterAll(() => program.close());

  it('answers one result a cell, in the order of the pad', async () => {
    const results = await validate('all');
    const { cells } = await program.read('all');
    expect(results.map(({ cell_index, cell_id, language }) => ({ index: cell_index, cell_id, language }))).toEqual(
      cells.map(({ index, cell_id, language }) => ({ index, cell_id, language })),
    );
    expect(results).toHaveLength(2 * 25);
    expect(new Set(cells.map(({ language }) => language)).size).toBe(25);
  });

  it.each(plantedCells)('$language is $type', async ({ language, type }) => {
    const { cells } = await program.read('all', { cell_ids: [`${language}-sound`] });
    expect(cells).toMatchObject([{ language, type }]);
  });

  it.each(checked)(
    'finds nothing in sound $language, and what is broken where it is',
    async ({ language, line, column }) => {
      const [sound, broken] = await validate('all', [`${language}-sound`, `${language}-broken`]);
      expect(sound).toMatchObject({ language, valid: true, errors: [], warnings: [] });
      expect(broken).toMatchObject({ language, valid: false });
      expect(broken?.errors[0]).toMatchObject({ line, column, message: expect.stringMatching(/\w/) });
    },
  );

  it('skips plain text and says so', async () => {
    for (const result of await validate('all', ['txt-sound', 'txt-broken'])) {
      expect(result).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'VALIDATION_SKIPPED' }] });
    }
  });

  it('never fails a write: the answer tells what was found in the cells that asked for it', async () => {
    const cells = [
      { language: 'json', content: '{', validate: true },
      { language: 'json', content: '[' },
      { language: 'txt', content: 'x', validate: true },
    ];
    const { validation, scratchpad } = await program.call<Written>('scratch_create', { scratch_id: 'advised', cells });
    expect(scratchpad.cell_count).toBe(3);
    expect(validation?.map(({ cell_index, valid }) => [cell_index, valid])).toEqual([
      [0, false],
      [2, true],
    ]);
    const appended = await program.call<Written>('scratch_append_cell', {
      scratch_id: 'advised',
      cell: { language: 'py', content: 'def', validate: true },
    });
    expect(appended.validation).toMatchObject([{ cell_index: 3, valid: false, language: 'py' }]);
    expect((await program.read('advised')).cells[3]?.content).toBe('def');
    expect(await validate('advised', [scratchpad.cells[1]!.cell_id])).toMatchObject([{ cell_index: 1, valid: false }]);
  });

  it('refuses cells and pads that are not there, whole', async () => {
    const error = await program.fail('scratch_validate', { scratch_id: 'all', cell_ids: ['json-sound', 'nine'] });
    expect(error.code).toBe('INVALID_ID');
    expect((await program.fail('scratch_validate', { scratch_id: 'missing' })).code).toBe('NOT_FOUND');
    await program.call('scratch_create', { scratch_id: 'bare' });
    expect(await program.call('scratch_validate', { scratch_id: 'bare' })).toEqual({
      ok: true,
      scratch_id: 'bare',
      results: [],
    });
  });
});
