// The stdio baseline: the minimum that answers JSON-RPC, one JSON message per line.
let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + String(chunk)).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id } = JSON.parse(line);
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '{"ok":true}' }], structuredContent: { ok: true } } })}\n`,
    );
  }
});
