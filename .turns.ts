import { spawn } from 'node:child_process'; import { once } from 'node:events'; import { readFileSync, mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
const [file, only] = process.argv.slice(2);
const mod = await import(file!); const bombs = (Object.values(mod).find(Array.isArray) as any[]).filter((b) => b.name.includes(only));
const dir = mkdtempSync('/tmp/turns-'); mkdirSync(dir + '/files');
const child = spawn(process.execPath, ['--import', new URL('./.prof2.mjs', import.meta.url).href, 'dist/main.js'], { env: { PATH: process.env.PATH, FOURFOLD_HOME: dir + '/home', FOURFOLD_FILE_ROOTS: dir + '/files', FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_RATE_LIMITS: 'false', SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug', FOURFOLD_MUTATION: 'true' }, stdio: ['pipe', 'pipe', 'inherit', 'ipc'] });
let rest = ''; const wait = new Map<number, any>();
child.stdout!.setEncoding('utf8').on('data', (c: string) => { const ls = (rest + c).split('\n'); rest = ls.pop()!; for (const l of ls) { const m = JSON.parse(l); if (m.id !== undefined) wait.get(m.id)?.(m); } });
let id = 0; const ask = (method: string, params: any) => new Promise<any>((r) => { id += 1; wait.set(id, r); child.stdin!.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n'); });
await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } });
const p = { call: (name: string, args: any) => ask('tools/call', { name, arguments: args }), putFile: (n: string, b: any) => { writeFileSync(dir + '/files/' + n, b); return dir + '/files/' + n; } };
for (const b of bombs) { const r = await b.send(p as any); console.log(b.name, JSON.stringify(r).slice(0, 120)); }
const heard = once(child, 'message'); child.send('profile'); await heard; child.stdin!.end();
const { profile, turns } = JSON.parse(readFileSync('/tmp/turns.json', 'utf8'));
const nodes = new Map<number, any>(profile.nodes.map((n: any) => [n.id, n])); const parent = new Map<number, number>(); for (const n of profile.nodes) for (const c of n.children ?? []) parent.set(c, n.id);
// map profile time (monotonic us) to performance.now: align ends
const offset = profile.endTime - Math.max(...turns.map((t: any) => t[1]), 0);
let t = profile.startTime; const label = (n: any) => `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.split('/').pop()}:${n.callFrame.lineNumber + 1}`;
// find long busy stretches directly: consecutive samples without idle/program root-only > 60ms sharing the same top-level child
const runs: any[] = []; let cur: any = null;
profile.samples.forEach((s: number, i: number) => { t += profile.timeDeltas[i]; const chain: number[] = []; for (let n: number | undefined = s; n !== undefined; n = parent.get(n)) chain.push(n); const top = chain[chain.length - 2]; const name = nodes.get(s).callFrame.functionName; if (name === '(idle)') { if (cur) runs.push(cur); cur = null; return; } const isGc = name === '(garbage collector)' || name === '(program)'; if (!cur) cur = { from: t, to: t, top, stacks: [] }; cur.to = t; cur.stacks.push([s, profile.timeDeltas[i]]); });
if (cur) runs.push(cur);
runs.sort((a, b) => (b.to - b.from) - (a.to - a.from));
for (const r of runs.slice(0, 3)) { const incl = new Map<string, number>(); for (const [s, dt] of r.stacks) { const seen = new Set<string>(); for (let n: number | undefined = s; n !== undefined; n = parent.get(n)) { const l = label(nodes.get(n)); if (!seen.has(l)) { seen.add(l); incl.set(l, (incl.get(l) ?? 0) + dt); } } } console.log('\nRUN', ((r.to - r.from) / 1000).toFixed(0), 'ms'); console.log([...incl].sort((a, b) => b[1] - a[1]).filter(([l]) => !l.includes(':0') || l.includes('garbage')).slice(0, 32).map(([l, v]) => `${(v / 1000).toFixed(0).padStart(6)} ${l}`).join('\n')); }
