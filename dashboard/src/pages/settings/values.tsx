import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Answer, Badge, Empty } from '../../kit/feedback.tsx';
import { Checkbox, SearchField } from '../../kit/form.tsx';
import { Section } from '../../kit/page.tsx';
import { useSearchState } from '../../kit/search-state.ts';
import { TableScroll } from '../../kit/table-scroll.tsx';
import { SettingsFrame } from './frame.tsx';

type Setting = Output<'settings_list'>['settings'][number];

const matches = ({ name, about, variable }: Setting, words: string): boolean =>
  `${name} ${about} ${variable}`.toLowerCase().includes(words);

const Table = ({ group, settings }: { readonly group: string; readonly settings: readonly Setting[] }) => (
  <TableScroll name={`${group}, table`}>
    <table className="values">
      <thead>
        <tr>
          <th scope="col">Setting</th>
          <th scope="col">Value</th>
          <th scope="col">Source</th>
        </tr>
      </thead>
      <tbody>
        {settings.map(({ name, about, value, source, sourceName, fallback, isSecret }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              <div className="soft">{about.replaceAll('`', '')}</div>
            </th>
            <td>
              <code>{value}</code> {isSecret && <Badge>secret</Badge>}
              {source !== 'default' && <div className="soft">default: {fallback}</div>}
            </td>
            <td>
              <Badge tone={source === 'default' ? undefined : 'accent'}>{source}</Badge>
              {sourceName && <div className="soft mono">{sourceName}</div>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </TableScroll>
);

function Content() {
  const settings = useTool('settings_list', {}, { isLive: false });
  const [{ q = '', set }, setSearch] = useSearchState();
  return (
    <>
      <div className="row wrap">
        <SearchField label="Filter settings" value={q} onChange={(value) => setSearch({ q: value }, 'replace')} />
        <Checkbox
          label="Only those that were set"
          checked={set === '1'}
          onChange={(event) => setSearch({ set: event.target.checked ? '1' : undefined }, 'replace')}
        />
      </div>
      <Answer of={settings}>
        {(data) => {
          const shown = data.settings.filter(
            (setting) => matches(setting, q.trim().toLowerCase()) && (set !== '1' || setting.source !== 'default'),
          );
          if (shown.length === 0) return <Empty title="No setting matches." />;
          return [...Map.groupBy(shown, ({ group }) => group)].map(([group, some]) => (
            <Section key={group} title={group}>
              <Table group={group} settings={some} />
            </Section>
          ));
        }}
      </Answer>
    </>
  );
}

export const Page = () => (
  <SettingsFrame
    title="Settings"
    answer="Read only: change a setting with its flag, its variable or the file, and start the server again."
    needs="operator"
  >
    {() => <Content />}
  </SettingsFrame>
);
