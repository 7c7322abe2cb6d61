import { CodeEditor } from '../../kit/code.tsx';
import { Checkbox, Choice, TextField } from '../../kit/form.tsx';
import { Section } from '../../kit/page.tsx';
import type { RuleDraft } from './rule-draft.ts';
import { conditionKinds, type Requirement, requirements } from './rule-facts.tsx';

const conditionExamples = {
  tasks: 'refund, code review',
  files: 'src/**/*.ts, *.sql',
  folders: 'services/checkout',
  languages: 'typescript, sql',
  tools: 'store_fact',
  entityTypes: 'invoice, person',
} as const;

const conditionLabels = {
  tasks: 'Kinds of task',
  files: 'Files',
  folders: 'Folders',
  languages: 'Languages',
  tools: 'Tools',
  entityTypes: 'Types of entities',
} as const;

interface RuleFormProps {
  readonly draft: RuleDraft;
  /** What the person wants to write first. */
  readonly begins: 'title' | 'text';
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

/** The fields of a rule. */
export const RuleForm = ({ draft, begins, onChange }: RuleFormProps) => (
  <>
    <TextField
      label="Title"
      hasFocus={begins === 'title'}
      value={draft.title}
      maxLength={200}
      onChange={(event) => onChange({ title: event.target.value })}
    />
    <div className="field">
      <span>What agents are told</span>
      <CodeEditor
        text={draft.body}
        label="Text of the rule"
        language="md"
        hasFocus={begins === 'text'}
        onChange={(body) => onChange({ body })}
      />
    </div>
    <div className="form-grid">
      <div className="field">
        <span>Requirement</span>
        <Choice
          label="Requirement"
          choices={requirements.map((value) => ({ value, label: value }))}
          value={draft.requirement}
          onChange={(value) => onChange({ requirement: value as Requirement })}
        />
      </div>
      <TextField
        label="Priority, 1 is highest"
        type="number"
        min={1}
        max={100}
        value={draft.priority}
        onChange={(event) => onChange({ priority: event.target.value })}
      />
      <TextField
        label="Owner"
        value={draft.owner}
        maxLength={200}
        onChange={(event) => onChange({ owner: event.target.value })}
      />
      <TextField
        label="Categories"
        placeholder="git, review"
        value={draft.categories}
        onChange={(event) => onChange({ categories: event.target.value })}
      />
      <TextField
        label="Tags"
        placeholder="onboarding"
        value={draft.tags}
        onChange={(event) => onChange({ tags: event.target.value })}
      />
    </div>
    <Section title="Applies when one of these fits">
      <Checkbox
        label="Always"
        checked={draft.always}
        onChange={(event) => onChange({ always: event.target.checked })}
      />
      <div className="form-grid">
        {conditionKinds.map(({ kind }) => (
          <TextField
            key={kind}
            label={conditionLabels[kind]}
            placeholder={conditionExamples[kind]}
            value={draft[kind]}
            onChange={(event) => onChange({ [kind]: event.target.value })}
          />
        ))}
      </div>
    </Section>
  </>
);
