import { useRef, useState } from 'react';
import { callTool, type Input, type Output } from '../../api/call.ts';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/feedback.tsx';
import { TextField } from '../../kit/form.tsx';
import { startIngest } from './ingests.tsx';
import { countPages } from './page-link.tsx';

type IngestInput = Input<'knowledge_ingest'>;

/** Files of the person's machine are sent as text; a folder or package of the server is read there. */
export function AddLibrary({ onClose }: { readonly onClose: () => void }) {
  const [source, setSource] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [library, setLibrary] = useState('');
  const [version, setVersion] = useState('');
  const [preview, setPreview] = useState<Output<'knowledge_ingest'>>();
  const [error, setError] = useState<unknown>();
  const [isChecking, setChecking] = useState(false);

  async function toInput(): Promise<IngestInput> {
    const named = { ...(library !== '' && { library }), ...(version !== '' && { version }) };
    if (files.length === 0) return { source: source.trim(), ...named };
    const pages = await Promise.all(
      files.map(async (file) => ({ path: file.webkitRelativePath || file.name, content: await file.text() })),
    );
    return { pages, ...named };
  }

  /** A preview belongs to what was written when it was asked for. */
  const asked = useRef(0);
  function change(set: () => void) {
    asked.current += 1;
    setPreview(undefined);
    setError(undefined);
    setChecking(false);
    set();
  }
  async function check() {
    asked.current += 1;
    const mine = asked.current;
    setError(undefined);
    setChecking(true);
    try {
      const found = await callTool('knowledge_ingest', { ...(await toInput()), dry_run: true });
      if (mine === asked.current) setPreview(found);
    } catch (problem) {
      if (mine === asked.current) setError(problem);
    } finally {
      if (mine === asked.current) setChecking(false);
    }
  }

  return (
    <Confirm title="Add a library" action="Add" onConfirm={async () => startIngest(await toInput())} onClose={onClose}>
      <TextField
        label="Source on the server"
        hint="A folder, a package (npm:zod), an llms.txt or a zip archive that the server may read."
        value={source}
        required={files.length === 0}
        disabled={files.length > 0}
        onChange={(event) => change(() => setSource(event.target.value))}
      />
      <TextField
        label="Or files of this computer"
        type="file"
        multiple
        accept=".md,.mdx,.markdown,.html,.htm,.txt,.ts"
        onChange={(event) => change(() => setFiles([...(event.target.files ?? [])]))}
      />
      <TextField
        label="Library"
        hint="Empty: the name that the source declares. Required for files."
        value={library}
        required={files.length > 0}
        onChange={(event) => change(() => setLibrary(event.target.value))}
      />
      <TextField
        label="Version"
        value={version}
        required={files.length > 0}
        onChange={(event) => change(() => setVersion(event.target.value))}
      />
      <div className="row">
        <Button onClick={() => void check()} disabled={isChecking || (source.trim() === '' && files.length === 0)}>
          {isChecking ? 'Reading…' : 'Preview'}
        </Button>
        {preview && (
          <span role="status">
            {preview.library}@{preview.version}: {countPages(preview.added)} to add, {preview.changed} to change,{' '}
            {preview.removed} to remove
          </span>
        )}
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </Confirm>
  );
}
