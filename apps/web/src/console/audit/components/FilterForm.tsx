import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { useAuditActionsQuery } from '../api.ts'
import { type AuditFilters, NO_FILTERS } from '../filters.ts'
import { actionName } from '../sentence.ts'

interface FilterFormProps {
  filters: AuditFilters
  onFilter: (filters: AuditFilters) => void
  tools: ReactNode
}

export function FilterForm({ filters, onFilter, tools }: FilterFormProps) {
  const { t } = useTranslation('console/audit')
  const [typed, setTyped] = useState(filters)
  const set = (name: keyof AuditFilters) => (text: string) => setTyped({ ...typed, [name]: text })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(typed)
  }
  const isFiltered = Object.values(filters).some((text) => text !== '')
  return (
    <form className="stack-14" noValidate onSubmit={submit}>
      <div className="audit-filters">
        <Field
          label={t('who')}
          placeholder={t('filter.who')}
          value={typed.who}
          maxLength={60}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set('who')(event.currentTarget.value)}
        />
        <ActionField value={typed.action} onChoose={set('action')} />
        <Field
          label={t('about')}
          placeholder="withdrawal:17"
          value={typed.subject}
          maxLength={200}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set('subject')(event.currentTarget.value)}
        />
        <SelectField
          label={t('outcome')}
          value={typed.outcome}
          onChange={(event) => set('outcome')(event.currentTarget.value)}
        >
          <option value="">{t('filter.all')}</option>
          <option value="done">{t('outcomes.done')}</option>
          <option value="refused">{t('outcomes.refused')}</option>
        </SelectField>
        <DateField label={t('filter.from')} value={typed.from} onChange={set('from')} />
        <DateField label={t('filter.to')} value={typed.to} onChange={set('to')} />
      </div>
      <div className="row-8 row-apart audit-tools">
        <div className="row-8">
          <Button type="submit" kind="primary" size="small">
            {t('filter.apply')}
          </Button>
          {isFiltered ? (
            <Button size="small" onClick={() => onFilter(NO_FILTERS)}>
              {t('filter.clear')}
            </Button>
          ) : null}
        </div>
        {tools}
      </div>
    </form>
  )
}

/** Every action that the trail has, by its noun, which stands for all of them. */
function ActionField({ value, onChoose }: { value: string; onChoose: (action: string) => void }) {
  const { t } = useTranslation('console/audit')
  const { data } = useAuditActionsQuery()
  const actions = data?.actions ?? (value === '' ? [] : [value])
  const nouns = [...new Set(actions.map((action) => action.split('.')[0] ?? ''))]
  const say = t as unknown as (key: string, options: { defaultValue: string }) => string
  return (
    <SelectField label={t('action')} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{t('filter.all')}</option>
      {nouns.map((noun) => (
        <optgroup key={noun} label={say(`noun.${noun}`, { defaultValue: noun })}>
          <option value={noun}>
            {t('filter.allOf', { noun: say(`noun.${noun}`, { defaultValue: noun }) })}
          </option>
          {actions
            .filter((action) => action.startsWith(`${noun}.`))
            .map((action) => (
              <option key={action} value={action}>
                {actionName(t, action)}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  )
}
