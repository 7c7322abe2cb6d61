import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeOf, describeTruth } from '../../truth.fixture.ts';
import { truthLimits } from '../../truth-limits.ts';
import { toRelationshipType } from '../../truth-vocabulary.ts';
import { createGraphFixture } from '../graph.fixture.ts';
import { builtinNames, builtinTypes, documentedTypes } from './builtin-types.ts';
import { insertType } from './type-store.ts';

interface AnsweredError {
  readonly code: string;
  readonly message: string;
  readonly details?: { readonly did_you_mean?: readonly string[] };
}
const errorOf = (answer: Readonly<Record<string, unknown>>) => answer['error'] as AnsweredError;

test('[TR70] blanks, hyphens and lower case are normalised, and a type is a fixed point', () => {
  expect(['works at', ' Works-At ', 'works_at', 'WORKS__AT'].map(toRelationshipType)).toEqual(
    Array.from({ length: 4 }, () => 'WORKS_AT'),
  );
  expect(['', ' ', '7UP', 'A/B', '_A', 'A'.repeat(65), 7, null, ['KNOWS'], 'ÄRGERT'].map(toRelationshipType)).toEqual(
    Array.from({ length: 10 }, () => undefined),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const type = toRelationshipType(text);
      if (type !== undefined) expect(toRelationshipType(type)).toBe(type);
    }),
  );
});

test('[TR70] the seven documented types are acyclic except REFERS_TO, and every built-in one has a description', () => {
  expect(documentedTypes.filter(({ acyclic }) => !acyclic).map((one) => one.relationship_type)).toEqual(['REFERS_TO']);
  expect(documentedTypes).toHaveLength(7);
  for (const [name, { description }] of builtinTypes) {
    expect(toRelationshipType(name)).toBe(name);
    expect(description).toMatch(/^[A-Z].*\.$/);
  }
});

describeTruth('relationship types', (engine) => {
  const open = async () => {
    const graph = createGraphFixture(engine);
    const [a, b, c] = await graph.stateAll(['ada', 'bob', 'cyd']);
    const register = (relationship_type: unknown, more: object = {}) =>
      graph.ask('register_relationship_type', { relationship_type, ...more });
    return { ...graph, a: a!, b: b!, c: c!, register };
  };

  test('[TR70] every built-in type can be used, in any spelling', async () => {
    const { a, b, relate } = await open();
    for (const name of builtinNames) {
      const spelt = name.toLowerCase().replaceAll('_', ' ');
      expect(await relate(spelt, a, b)).toMatchObject({ relationship_type: name, created: true });
    }
  });

  test('[TR71] a registered type can be used by its tenant only', async () => {
    const { a, b, relate, register, ask, edgesOf } = await open();
    expect(codeOf(await relate('MENTORS', a, b))).toBe('INVALID_RELATIONSHIP_TYPE');
    const registered = await register('mentors', { description: 'A person teaches another.' });
    expect(registered).toMatchObject({
      ...{ relationship_type: 'MENTORS', description: 'A person teaches another.' },
      ...{ acyclic: false, origin: 'registered', created: true },
    });
    expect(await relate('Mentors', a, b)).toMatchObject({ relationship_type: 'MENTORS', created: true });
    expect(await relate('MENTORS', b, a)).toMatchObject({ created: true });
    expect(await edgesOf(a, { relationship_type: 'mentors', direction: 'inbound' })).toHaveLength(1);
    expect(await edgesOf(a)).toHaveLength(2);
    expect(await ask('get_related_entities', { entity_id: a, relationship_types: ['MENTORS'] })).toMatchObject({
      entities: [{ entity_id: b }],
    });
    const listed = await ask('list_relationship_types', {});
    const { created: _, ...shown } = registered;
    expect(listed).toMatchObject({ total: builtinNames.length + 1 });
    expect((listed['relationship_types'] as object[]).at(-1)).toEqual(shown);
    const other = await open();
    expect(codeOf(await other.relate('MENTORS', other.a, other.b))).toBe('INVALID_RELATIONSHIP_TYPE');
    expect(await other.ask('list_relationship_types', {})).toMatchObject({ total: builtinNames.length });
  });

  test('[TR71] an acyclic registered type refuses cycles, also those that a merge or unmerge would close', async () => {
    const { a, b, c, relate, register, merge, unmerge } = await open();
    await register('OUTRANKS', { acyclic: true });
    await relate('OUTRANKS', a, b);
    await relate('OUTRANKS', b, c);
    expect(codeOf(await relate('OUTRANKS', c, a))).toBe('CYCLE_DETECTED');
    expect(codeOf(await merge(a, c))).toBe('CYCLE_DETECTED');
    await merge(a, b);
    await merge(b, c);
    // Now a → b → c are inside the group.
    expect(codeOf(await unmerge(b, c))).toBeUndefined();
    const other = await open();
    await other.register('LIKES');
    await other.relate('LIKES', other.a, other.b);
    await other.relate('LIKES', other.b, other.c);
    expect(codeOf(await other.merge(other.a, other.c))).toBeUndefined();
  });

  test('[TR71] registering again is not an error, and another definition is a conflict', async () => {
    const { register } = await open();
    const first = await register('MENTORS', { description: 'Teaches.' });
    expect(await register('MENTORS', { description: 'Teaches.' })).toEqual({ ...first, created: false });
    expect(await register('mentors')).toEqual({ ...first, created: false });
    for (const other of [{ description: 'Leads.' }, { acyclic: true }]) {
      expect(codeOf(await register('MENTORS', other))).toBe('CONFLICT');
    }
    expect(await register('PART_OF')).toMatchObject({ created: false, acyclic: true, origin: 'documented' });
    expect(codeOf(await register('part of', { acyclic: false }))).toBe('CONFLICT');
    expect(codeOf(await register('WORKS_AT', { description: 'Mine.' }))).toBe('CONFLICT');
    for (const bad of ['', '7UP', null, 'A/B', 'x'.repeat(65)]) {
      expect(codeOf(await register(bad))).toBe('INVALID_RELATIONSHIP_TYPE');
    }
    expect(await register('WORK_AT')).toMatchObject({ created: true, similar: ['WORKS_AT'] });
  });

  test('[TR70] an unknown type answers the known ones and near spellings', async () => {
    const { a, b, relate, register, ask } = await open();
    await register('MENTORS');
    const wrong = errorOf(await relate('MENTOR', a, b));
    expect(wrong).toMatchObject({ code: 'INVALID_RELATIONSHIP_TYPE', details: { did_you_mean: ['MENTORS'] } });
    for (const name of [...builtinNames, 'MENTORS']) expect(wrong.message).toContain(name);
    expect(wrong.message).toContain('did you mean MENTORS?');
    expect(errorOf(await relate('WORKS_FOR', a, b)).details?.did_you_mean).toContain('WORKS_AT');
    expect(errorOf(await relate('XYZZY', a, b)).details).not.toHaveProperty('did_you_mean');
    expect(errorOf(await relate('not/a type', a, b)).message).toContain('WORKS_AT');
    const asked = await ask('get_related_entities', { entity_id: a, relationship_types: ['KNOWS', 'KNOW'] });
    expect(errorOf(asked)).toMatchObject({ code: 'INVALID_RELATIONSHIP_TYPE', details: { did_you_mean: ['KNOWS'] } });
  });

  test('[TR71] a tenant has a limited number of types', async () => {
    const { register, read } = await open();
    await read(function* (db) {
      for (let i = 0; i < truthLimits.relationshipTypesCount; i += 1) {
        yield* insertType(db, { relationship_type: `T${i}`, description: '', is_acyclic: 0, created_at: db.now });
      }
    });
    expect(codeOf(await register('ONE_MORE'))).toBe('RESOURCE_LIMIT');
    expect(await register('T0')).toMatchObject({ created: false });
  });

  test('[TR71] two concurrent writers register a type once', async () => {
    const { register, tenant } = await open();
    const others = createGraphFixture(engine, tenant, await engine.openOther());
    const answers = await Promise.all([
      register('MENTORS'),
      others.ask('register_relationship_type', { relationship_type: 'MENTORS' }),
    ]);
    expect(answers.map(codeOf)).toEqual([undefined, undefined]);
    expect(answers.filter((answer) => answer['created'] === true)).toHaveLength(1);
  });
});
