// usage: prof.mjs <json file of calls>: runs the program with cpu-prof and prints inclusive times
import { spawn } from 'node:child_process';
import { readFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
const calls = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const dir = mkdtempSync('/tmp/prof-');
const child = spawn(process.execPath, ['--cpu-prof', `--cpu-prof-dir=${dir}`, '--cpu-prof-interval=500', 'dist/main.js'], { env: { PATH: process.env.PATH, FOURFOLD_HOME: dir + '/home', FOURFOLD_RATE_LIMITS: 'false', FOURFOLD_LOG_LEVEL: 'error', FOURFOLD_FILE_ROOTS: '/tmp', SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug', FOURFOLD_ENABLE_MUTATION:'true' }, stdio: ['pipe', 'pipe', 'inherit'] });
let rest = ''; let resolve;
child.stdout.setEncoding('utf8').on('data', (c) => { const ls = (rest + c).split('\n'); rest = ls.pop(); for (const l of ls) { const m = JSON.parse(l); if ('id' in m) resolve(l); } });
const ask = (m) => new Promise((r) => { resolve = r; child.stdin.write(JSON.stringify(m) + '\n'); });
await ask({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } });
for (const [i, [name, args]] of calls.entries()) console.log((await ask({ jsonrpc: '2.0', id: i + 1, method: 'tools/call', params: { name, arguments: args } })).slice(0, 200));
child.stdin.end();
await new Promise((r) => child.once('exit', r));
const file = readdirSync(dir).filter((f) => f.endsWith('.cpuprofile')).map((f) => dir + '/' + f);
for (const f of file) {
  const p = JSON.parse(readFileSync(f, 'utf8'));
  const nodes = new Map(p.nodes.map((n) => [n.id, n])); const parent = new Map();
  for (const n of p.nodes) for (const c of n.children ?? []) parent.set(c, n.id);
  const incl = new Map(), self = new Map();
  const label = (n) => `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.split('/').pop()}:${n.callFrame.lineNumber + 1}`;
  p.samples.forEach((id, i) => { const dt = p.timeDeltas[i] / 1000; const seen = new Set(); self.set(label(nodes.get(id)), (self.get(label(nodes.get(id))) ?? 0) + dt); for (let n = id; n !== undefined; n = parent.get(n)) { const l = label(nodes.get(n)); if (!seen.has(l)) { seen.add(l); incl.set(l, (incl.get(l) ?? 0) + dt); } } });
  const top = (m, k) => [...m].sort((a, b) => b[1] - a[1]).slice(0, k).map(([l, t]) => `${t.toFixed(0).padStart(7)} ${l}`).join('\n');
  console.log('--- inclusive\n' + top(incl, Number(process.argv[3] ?? 60)) + '\n--- self\n' + top(self, 15));
}
rmSync(dir, { recursive: true });
