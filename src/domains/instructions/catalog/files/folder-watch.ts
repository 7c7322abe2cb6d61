import { type FSWatcher, watch } from 'node:fs';

export interface FolderWatch {
  /** Watches the folder that stands there now; again when another one took its place. */
  attach(inode: string): void;
  close(): void;
}

/** A hint, never the only source: some disks announce nothing, so a folder that cannot be watched is no failure. */
export function createFolderWatch(folder: string, moved: (name: string | null) => void): FolderWatch {
  let watcher: FSWatcher | undefined;
  let watched = '';

  function detach(): void {
    watcher?.close();
    watcher = undefined;
    watched = '';
  }

  return {
    attach(inode) {
      if (inode === watched) return;
      detach();
      watched = inode;
      try {
        watcher = watch(folder, { persistent: false }, (_event, name) => moved(name));
        watcher.on('error', detach);
      } catch {
        watcher = undefined;
      }
    },
    close: detach,
  };
}
