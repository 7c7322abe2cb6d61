import { expect, it } from 'vitest';
import { engines } from '../notebooks/notebook-program.ts';
import { stats } from './connected-program.fixture.ts';
import { connectMail, describeMail, mail, manyMails, startMailServer, withReason } from './mail-program.fixture.ts';

const mixed = mail({
  id: 'two@example.org',
  subject: '=?utf-8?q?Pl=C3=A4ne?=',
  headers: [
    'Cc: Bob <bob@example.org>',
    'In-Reply-To: <one@example.org>',
    'References: <zero@example.org> <one@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="x"',
  ],
  text: [
    '--x',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Sch=F6ne Gr=FC=DFe',
    '--x',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="plan.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('the bytes of the plan').toString('base64'),
    '--x--',
  ].join('\r\n'),
});
const page = mail({
  id: 'three@example.org',
  subject: 'A page',
  headers: ['Content-Type: text/html; charset=utf-8'],
  text: '<html><head><style>p { color: red }</style></head><body><p>Fish &amp; chips</p><script>x()</script><p>tonight</p></body></html>',
});

describeMail.each(engines)(withReason('[IG80] mail, with %s'), (engine) => {
  it('comes in once, with its text and the names and sizes of its attachments', async () => {
    const server = await startMailServer([mail({ id: 'one@example.org' }), mixed, page]);
    const home = await connectMail(server, engine);
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(3) });
    const found = await home.items('message', 'subject');
    expect(found['Hello']).toMatchObject({
      from: 'Ada <ada@example.org>',
      to: ['Grace <grace@example.org>', 'team@example.org'],
      text: 'A few words.',
      date: '2026-01-02T09:00:00.000Z',
      message_id: '<one@example.org>',
      provider: 'imap',
    });
    expect(found['Pläne']).toMatchObject({
      cc: ['Bob <bob@example.org>'],
      text: 'Schöne Grüße',
      in_reply_to: '<one@example.org>',
      references: ['<zero@example.org>', '<one@example.org>'],
      attachments: [{ name: 'plan.pdf', bytes: 21, type: 'application/pdf' }],
    });
    expect(JSON.stringify(found)).not.toContain('bytes of the plan');
    expect(found['A page']).toMatchObject({ text: 'Fish & chips\ntonight' });

    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(0) });
    server.deliver('ada', mail({ id: 'four@example.org', subject: 'New' }));
    expect(await home.sync('imap')).toMatchObject({ stats: stats(1) });
    expect(await home.sync('imap', '--sync-type', 'initial')).toMatchObject({ stats: stats(0) });
  });

  it('[IG81] comes in once although its mailbox gets other numbers, or another mailbox has it too', async () => {
    const messages = manyMails(5);
    const server = await startMailServer(messages);
    for (const message of messages.slice(2)) server.deliver('ada', message, 'Archive');
    server.deliver('ada', mail({ id: 'archived@example.org', subject: 'Archived' }), 'Archive');
    const home = await connectMail(server, engine, '--parts', 'INBOX', '--parts', 'Archive');
    expect(await home.sync('imap', '--limit', '2')).toMatchObject({ status: 'completed', stats: stats(6) });
    await server.admin('mailbox', 'update', '--uid-validity', '4711', '-u', 'ada', 'INBOX');
    server.deliver('ada', mail({ id: 'late@example.org', subject: 'Late' }));
    expect(await home.sync('imap', '--limit', '2')).toMatchObject({ status: 'completed', stats: stats(1) });
    expect(Object.keys(await home.items('message', 'subject'))).toHaveLength(7);
  });

  it('[IG83] with bytes and headers that are not allowed is stored, or counted and named', async () => {
    const garbage = Buffer.concat([
      Buffer.from(
        'From: \xff\xfe\x00\x80 <a@b>\r\nSubject: \xc3\x28 \xed\xa0\x80 caf\xe9\r\nTo: ,,;<<>>@\r\n',
        'latin1',
      ),
      Buffer.from(
        'Date: not a date\r\nMessage-ID: \xff\x00\r\nContent-Type: \xff/\xff; charset=\x01\r\n\r\n',
        'latin1',
      ),
      Buffer.from('body \x00 \xff \xc3', 'latin1'),
    ]);
    const server = await startMailServer([
      mail({ id: 'good@example.org', subject: 'Good' }),
      garbage,
      Buffer.from(`Subject: endless header ${'x'.repeat(3 * 1024 * 1024)}`),
      mail({ id: 'huge@example.org', subject: 'Huge', text: 'word '.repeat(2_000_000) }),
      mail({ id: 'last@example.org', subject: 'Last' }),
    ]);
    const home = await connectMail(server, engine);
    const run = await home.sync('imap');
    expect(run).toMatchObject({ status: 'completed', stats: stats(4, 0, 2) });
    expect(run.problems).toEqual([
      { id: 'INBOX 3', why: 'it is not a mail that can be read' },
      { id: 'INBOX 4', why: expect.stringContaining('only the first 8388608 were read') },
    ]);
    const found = await home.items('message', 'subject');
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['Good', 'Huge', 'Last']));
    expect(found['Huge']).toMatchObject({ is_truncated: true });
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(0) });
  });
});

describeMail(withReason('[IG81] messages'), () => {
  it('with the same Message-ID and other texts are all kept, and a copy is not', async () => {
    const server = await startMailServer([
      mail({ id: 'same@example.org', subject: 'First', text: 'The price is 5.' }),
      mail({ id: 'same@example.org', subject: 'Second', text: 'The price is 5.' }),
      mail({ id: 'same@example.org', subject: 'First', text: 'The price is 9.' }),
      mail({ id: 'same@example.org', subject: 'First', text: 'The price is 5.', headers: ['Received: by elsewhere'] }),
    ]);
    const home = await connectMail(server);
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(3) });
    expect(Object.keys(await home.items('message', 'external_id'))).toHaveLength(3);
  });

  it('without a Message-ID are the same only if they say the same', async () => {
    const server = await startMailServer([mail(), mail({ subject: 'Other' }), mail({ text: 'Other words.' }), mail()]);
    const home = await connectMail(server);
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(3) });
    await server.admin('mailbox', 'update', '--uid-validity', '4711', '-u', 'ada', 'INBOX');
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(0) });
  });
});

describeMail(withReason('[IG83] a sync of mail'), () => {
  it('of an empty mailbox brings in nothing, and later what arrives', async () => {
    const server = await startMailServer();
    const home = await connectMail(server);
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(0) });
    server.deliver('ada', mail());
    expect(await home.sync('imap')).toMatchObject({ stats: stats(1) });
  });

  it('goes on after a lost connection', async () => {
    const server = await startMailServer(manyMails(30));
    const home = await connectMail(server);
    const before = server.proxy.connectionsCount();
    server.proxy.cutNext(2, 6_000);
    expect(await home.sync('imap', '--limit', '5')).toMatchObject({ status: 'completed', stats: stats(30), pages: 6 });
    expect(server.proxy.connectionsCount() - before).toBe(3);
    expect(Object.keys(await home.items('message', 'subject'))).toHaveLength(30);
  });

  it('ends with the reason if each connection is lost, and the next one goes on', async () => {
    const server = await startMailServer(manyMails(10));
    const home = await connectMail(server);
    server.proxy.cutNext(100, 500);
    expect(await home.sync('imap')).toMatchObject({
      status: 'failed',
      error: { code: 'SYNC_FAILED', message: expect.stringMatching(/the connection to 127\.0\.0\.1:\d+ was lost/) },
    });
    server.proxy.cutNext(0, 0);
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(10) });
  });

  it('names a mailbox that was deleted, and reads the others', async () => {
    const server = await startMailServer(manyMails(2));
    server.deliver('ada', mail({ subject: 'Old' }), 'Work');
    const home = await connectMail(server, 'SQLite', '--parts', 'Work', '--parts', 'INBOX');
    await server.admin('mailbox', 'delete', '-u', 'ada', 'Work');
    const first = await home.sync('imap');
    expect(first).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('no mailbox Work') } });
    await server.admin('mailbox', 'create', '-u', 'ada', 'Work');
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(2) });
    await server.admin('mailbox', 'delete', '-u', 'ada', 'Work');
    server.deliver('ada', mail({ subject: 'New' }));
    expect(await home.sync('imap')).toMatchObject({
      status: 'completed',
      stats: stats(1, 0, 1),
      problems: [{ id: 'Work', why: 'the account has no mailbox Work any more' }],
    });
    await server.admin('mailbox', 'create', '-u', 'ada', 'Work');
    server.deliver('ada', mail({ subject: 'Back' }), 'Work');
    expect(await home.sync('imap')).toMatchObject({ status: 'completed', stats: stats(1) });
  });

  it('fails if its only mailbox was deleted', async () => {
    const server = await startMailServer();
    server.deliver('ada', mail(), 'Work');
    const home = await connectMail(server, 'SQLite', '--parts', 'Work');
    expect(await home.sync('imap')).toMatchObject({ stats: stats(1) });
    await server.admin('mailbox', 'delete', '-u', 'ada', 'Work');
    expect(await home.sync('imap')).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('no mailbox Work any more') },
    });
  });
});
