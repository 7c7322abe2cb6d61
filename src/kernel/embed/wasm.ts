/** The used part of the standard; the compiler knows it only with the browser types. */
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, WasmMemory>>>>,
  ) => { readonly exports: unknown };
};

export const wasmPageBytes = 64 * 1024;

/** A compiled kernel and the memory that it shares with us. */
export interface Wasm<Exports> {
  readonly exports: Exports;
  /** A new buffer after each growth. */
  buffer(): ArrayBuffer;
  grow(bytes: number): void;
}

/** `bytes` in base64; the memory begins with `initialBytes` and may grow as far as 32-bit addresses reach. */
export function loadWasm<Exports>(bytes: string, initialBytes: number): Wasm<Exports> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(initialBytes / wasmPageBytes), maximum: 65_536 });
  const module = new WebAssembly.Module(Buffer.from(bytes, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return {
    exports: exports as Exports,
    buffer: () => memory.buffer,
    grow: (more) => void memory.grow(Math.ceil(more / wasmPageBytes)),
  };
}
