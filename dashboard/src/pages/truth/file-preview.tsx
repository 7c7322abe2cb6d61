import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callTool } from '../../api/call.ts';
import { Answer } from '../../kit/feedback.tsx';

const textChars = 100_000;
const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

interface LoadedFile {
  readonly type: string;
  readonly bytes: Blob;
  readonly text: string | undefined;
}

/** Loads a file of the store through a signed address on this server. */
async function loadFile(fileUrl: string, signal: AbortSignal): Promise<LoadedFile> {
  const { signed_url } = await callTool('get_file_url', { file_path: fileUrl, expires_in: 300 }, signal);
  const { pathname, search } = new URL(signed_url);
  const response = await fetch(`${pathname}${search}`, { signal });
  if (!response.ok) throw new Error(`The file could not be loaded (${response.status}).`);
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim();
  const bytes = await response.blob();
  const isText = type !== 'application/pdf' && !images.has(type) && !isBinary(type);
  return { type, bytes, text: isText ? (await bytes.slice(0, textChars).text()).slice(0, textChars) : undefined };
}

const isBinary = (type: string): boolean =>
  type === 'application/octet-stream' || type === 'application/zip' || type.startsWith('application/vnd.');

/** The type is ours, never that of the file: only a PDF or a picture is handed to the browser. */
function Shown({ file, name, hasText }: Omit<PreviewProps, 'url'>) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const isShown = file.type === 'application/pdf' || images.has(file.type);
    const type = isShown ? file.type : 'application/octet-stream';
    const made = URL.createObjectURL(new Blob([file.bytes], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (url === undefined) return null;
  return (
    <>
      <Preview file={file} url={url} name={name} hasText={hasText} />
      <p>
        <a href={url} download={name}>
          Download {name}
        </a>
      </p>
    </>
  );
}

interface PreviewProps {
  readonly file: LoadedFile;
  /** Its text is shown below. */
  readonly hasText: boolean;
  readonly url: string;
  readonly name: string;
}

function Preview({ file, url, name, hasText }: PreviewProps) {
  if (file.text !== undefined) return <pre className="code">{file.text}</pre>;
  if (file.type === 'application/pdf') {
    return navigator.pdfViewerEnabled ? (
      <iframe className="truth-preview" src={url} title={name} />
    ) : (
      <p className="soft">
        This browser does not show PDF files. {hasText && 'Below is the text that was read from it.'}
      </p>
    );
  }
  if (images.has(file.type)) return <img className="truth-preview" src={url} alt={name} />;
  return <p className="soft">This kind of file has no preview.</p>;
}

interface FilePreviewProps extends Pick<PreviewProps, 'name' | 'hasText'> {
  readonly fileUrl: string;
}

export function FilePreview({ fileUrl, name, hasText }: FilePreviewProps) {
  const file = useQuery({
    queryKey: ['file', fileUrl],
    queryFn: ({ signal }) => loadFile(fileUrl, signal),
    // The address of a file is the hash of its bytes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return <Answer of={file}>{(data) => <Shown file={data} name={name} hasText={hasText} />}</Answer>;
}
