import { stripTypes } from '../templates/strip-types.ts';
import { writeClass } from './files/class-file.ts';
import { writeHooks } from './files/hooks-file.ts';
import { migrationPath, writeMigration } from './files/migration-file.ts';
import { writeSchema } from './files/schema-file.ts';
import { writeService, writeShared } from './files/service-file.ts';
import { writeTest } from './files/test-file.ts';
import { planService } from './plan-service.ts';
import { type Edit, serviceEdits } from './service-edits.ts';
import { serviceNotes } from './service-notes.ts';
import type { Database, ServicePlan, ServiceRequest, serviceFileTypes } from './service-request.ts';

export interface ServiceFile {
  readonly path: string;
  readonly content: string;
  readonly type: (typeof serviceFileTypes)[number];
  /** Bytes of UTF-8. */
  readonly size: number;
}

export interface GeneratedService {
  readonly name: string;
  readonly database: Database;
  readonly fieldCount: number;
  readonly files: Readonly<Record<string, ServiceFile>>;
  readonly edits: readonly Edit[];
  readonly notes: readonly string[];
}

const hasTable = (plan: ServicePlan): plan is ServicePlan & { database: 'postgresql' | 'sqlite' } =>
  plan.database !== 'mongodb';

function writeFiles(plan: ServicePlan): readonly ServiceFile[] {
  const { name, extension } = plan;
  const toFile = (path: string, type: ServiceFile['type'], typed: string): ServiceFile => {
    const content = extension === 'ts' ? typed : stripTypes(typed);
    return { path: `${path}.${extension}`, content, type, size: Buffer.byteLength(content) };
  };
  const at = (part: string) => `src/services/${name}/${name}.${part}`;
  return [
    toFile(at('service'), 'service', writeService(plan)),
    toFile(at('class'), 'service', writeClass(plan)),
    toFile(at('schema'), 'schema', writeSchema(plan)),
    toFile(at('hooks'), 'hooks', writeHooks(plan)),
    toFile(at('shared'), 'schema', writeShared(plan)),
    ...(hasTable(plan) ? [toFile(migrationPath(plan), 'schema', writeMigration(plan))] : []),
    toFile(`test/services/${name}/${name}.test`, 'test', writeTest(plan)),
  ];
}

/** The same request always gives the same bytes. */
export function generateService(request: ServiceRequest): GeneratedService {
  const plan = planService(request);
  const files = writeFiles(plan);
  return {
    name: plan.name,
    database: plan.database,
    fieldCount: plan.fields.length,
    files: Object.fromEntries(files.map((file) => [file.path, file])),
    edits: serviceEdits(plan),
    notes: serviceNotes(plan),
  };
}
