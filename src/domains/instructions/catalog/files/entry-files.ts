import { mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogEntry, CatalogProblem } from '../catalog.ts';
import { catalogLimits } from '../catalog-limits.ts';
import type { StoredFile } from '../entry-source.ts';
import { etagOf } from '../entry-text.ts';
import { inSlices } from '../pacer.ts';
import { parseEntry } from '../parse-entry.ts';
import type { SourceDeps } from '../source-deps.ts';
import { codeOf, toFolderFault } from './error-code.ts';
import { idOf, isEntryFile, isTemporaryName, versionFile } from './folder-names.ts';
import { type FileFound, fileSignature, folderSignature, lookAt, readEntryFile, signatureOf } from './read-file.ts';

export interface EntryFilesDeps extends Pick<SourceDeps, 'clock' | 'log' | 'sink' | 'canonicalOff' | 'closing'> {
  readonly folder: string;
  readonly readRetries: number;
  readonly readBackoffMs: number;
}

interface Tracked {
  readonly signature: string;
  readonly etag: string;
  /** Whether the signature can be trusted: a file that changed a moment ago may change again without its times moving. */
  readonly isSettled: boolean;
}

/** What the files of one folder were when they were last looked at, and what is told when they differ. */
export interface EntryFiles {
  /** Looks at these, reads what moved, and tells. Answers what looks half written and was not told of, to be looked at again. */
  examine(names: Iterable<string>): readonly string[];
  /** Examines again, a few times, what looked half written; what still does then is told of. */
  examineAgain(names: readonly string[]): Promise<void>;
  /** Reads what this process wrote itself, and tells. Audit trail and index know it already. */
  adopt(names: Iterable<string>): void;
  /** The entry that is on the disk now, whatever was told before. */
  present(name: string): CatalogEntry | undefined;
  /** All files, in slices. `isForced`: also those that did not move. */
  sweep(isForced: boolean): Promise<void>;
  /** A change that leaves the folder as known as it was before: it is our own. */
  mutate<T>(work: () => T): T;
  /** Its own change is under way: nobody looks at this file meanwhile. */
  hold(name: string): () => void;
  /** Folder or version file moved since the last sweep; `vanished`: the version file was taken away. */
  moved(): 'no' | 'yes' | 'vanished';
  list(): Promise<readonly StoredFile[]>;
}

export function createEntryFiles(deps: EntryFilesDeps): EntryFiles {
  const { folder, sink, clock } = deps;
  const versionPath = join(folder, versionFile);
  const tracked = new Map<string, Tracked>();
  const held = new Map<string, number>();
  let folderSeen = '';
  let versionSeen = 'absent';

  const isSettled = (changedAt: number): boolean => clock.now() - changedAt > catalogLimits.settleMs;

  interface Findings {
    readonly entries: Map<string, CatalogEntry | undefined>;
    readonly problems: Map<string, CatalogProblem | undefined>;
    readonly unfinished: string[];
  }
  const nothing = (): Findings => ({ entries: new Map(), problems: new Map(), unfinished: [] });

  function forget(name: string, findings: Findings): void {
    tracked.delete(name);
    findings.entries.set(idOf(name), undefined);
    findings.problems.set(name, undefined);
  }

  function refuse(name: string, problem: string, known: Tracked, findings: Findings): void {
    tracked.set(name, known);
    findings.entries.set(idOf(name), undefined);
    findings.problems.set(name, { file: name, problem });
  }

  interface Manner {
    /** Also what has the same bytes as before is told. */
    readonly isForced: boolean;
    /** What looks half written is told of, too. */
    readonly isLast: boolean;
  }

  function read(name: string, findings: Findings, manner: Manner, stat?: Stats): void {
    const found = readEntryFile(folder, name, stat);
    if (found.kind === 'absent') forget(name, findings);
    else if (found.kind === 'bytes') take(name, found, findings, manner);
    else refuse(name, found.problem, { signature: found.signature, etag: '', isSettled: true }, findings);
  }

  function take(name: string, found: FileFound & { kind: 'bytes' }, findings: Findings, manner: Manner): void {
    const { bytes, signature, modifiedAt } = found;
    const known = { signature, etag: etagOf(bytes), isSettled: isSettled(modifiedAt) };
    if (!manner.isForced && tracked.get(name)?.etag === known.etag) {
      tracked.set(name, known);
      return;
    }
    const parsed = parseEntry(bytes, { id: idOf(name), modifiedAt, canonicalOff: deps.canonicalOff });
    if (parsed.kept !== undefined) {
      tracked.set(name, known);
      findings.entries.set(idOf(name), parsed.kept);
      findings.problems.set(name, undefined);
      return;
    }
    const mayBeUnfinished = parsed.mayBeUnfinished && clock.now() - modifiedAt < catalogLimits.freshMs;
    if (mayBeUnfinished && !manner.isLast) findings.unfinished.push(name);
    else refuse(name, parsed.problem, known, findings);
  }

  function examineOne(name: string, findings: Findings, isLast: boolean): void {
    if (held.has(name)) return;
    const stat = lookAt(join(folder, name));
    const known = tracked.get(name);
    if (stat === undefined) {
      if (known !== undefined) forget(name, findings);
      return;
    }
    if (known?.isSettled && known.signature === signatureOf(stat)) return;
    read(name, findings, { isForced: false, isLast }, stat);
  }

  function tell(findings: Findings): void {
    if (findings.entries.size === 0) return;
    sink.apply(findings);
    sink.suspect(findings.entries.keys());
  }

  function examine(names: Iterable<string>, isLast = false): readonly string[] {
    const findings = nothing();
    for (const name of names) if (isEntryFile(name)) examineOne(name, findings, isLast);
    tell(findings);
    return findings.unfinished;
  }

  async function examineAgain(names: readonly string[]): Promise<void> {
    let left = names;
    for (let round = 1; left.length > 0; round += 1) {
      if (round <= deps.readRetries) await pause(deps.readBackoffMs);
      left = examine(left, round >= deps.readRetries);
    }
  }

  function namesInFolder(): readonly string[] {
    try {
      return readdirSync(folder).sort();
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw toFolderFault(error);
    }
  }

  /** What a process that was killed left beside the entries. */
  function tidy(name: string): void {
    const path = join(folder, name);
    const stat = lookAt(path);
    if (stat !== undefined && clock.now() - stat.mtimeMs > catalogLimits.leftoverMs) rmSync(path, { force: true });
  }

  async function sweep(isForced: boolean): Promise<void> {
    const folderBefore = folderSignature(folder);
    const versionBefore = fileSignature(versionPath);
    const present = namesInFolder();
    const gone = new Set(tracked.keys());
    let findings = nothing();
    const unfinished: string[] = [];
    const endSlice = () => {
      unfinished.push(...findings.unfinished);
      tell(findings);
      findings = nothing();
    };
    await inSlices(
      present,
      (name) => {
        gone.delete(name);
        if (isTemporaryName(name)) tidy(name);
        if (!isEntryFile(name) || held.has(name)) return;
        if (isForced) read(name, findings, { isForced, isLast: false });
        else examineOne(name, findings, false);
      },
      endSlice,
      deps.closing,
    );
    unfinished.push(...examine(gone));
    await examineAgain(unfinished);
    folderSeen = folderBefore;
    versionSeen = versionBefore;
  }

  return {
    examine: (wanted) => examine(wanted),
    examineAgain,
    present(name) {
      const stat = lookAt(join(folder, name));
      if (stat === undefined) return undefined;
      const known = tracked.get(name);
      if (known?.isSettled && !held.has(name) && known.signature === signatureOf(stat)) return sink.find(idOf(name));
      const found = readEntryFile(folder, name, stat);
      if (found.kind !== 'bytes') return undefined;
      const { modifiedAt } = found;
      return parseEntry(found.bytes, { id: idOf(name), modifiedAt, canonicalOff: deps.canonicalOff }).kept;
    },
    adopt(wanted) {
      const findings = nothing();
      for (const name of wanted) read(name, findings, { isForced: true, isLast: true });
      sink.apply(findings);
    },
    sweep,
    mutate(work) {
      const folderBefore = folderSignature(folder);
      const versionBefore = fileSignature(versionPath);
      try {
        return work();
      } finally {
        if (folderBefore === folderSeen) folderSeen = folderSignature(folder);
        if (versionBefore === versionSeen) versionSeen = fileSignature(versionPath);
      }
    },
    hold(name) {
      held.set(name, (held.get(name) ?? 0) + 1);
      return () => {
        const left = (held.get(name) ?? 1) - 1;
        if (left === 0) held.delete(name);
        else held.set(name, left);
      };
    },
    moved() {
      const version = fileSignature(versionPath);
      if (version === 'absent' && versionSeen !== 'absent') return 'vanished';
      return version === versionSeen && folderSignature(folder) === folderSeen ? 'no' : 'yes';
    },
    async list() {
      const files: StoredFile[] = [];
      await inSlices(
        namesInFolder().filter(isEntryFile),
        (file) => {
          const stat = lookAt(join(folder, file));
          if (stat !== undefined) files.push({ file, bytes: stat.size, modifiedAt: Math.floor(stat.mtimeMs) });
        },
        () => {},
        deps.closing,
      );
      return files;
    },
  };
}

/** The folder, made when it is not there. Answers what tells this folder from another one under the same name. */
export function openFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return String(statSync(folder).ino);
  } catch (error) {
    throw toFolderFault(error);
  }
}
