import type { Ability, OperatorRole } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../../ui/Field.tsx'
import { useAbilityTableQuery } from '../api.ts'

interface RoleChoiceProps {
  value: OperatorRole
  onChoose: (role: OperatorRole) => void
  /** The role of now; null for somebody who has none. */
  before: OperatorRole | null
}

/** A role, and what it brings and takes: said before it is decided. */
export function RoleChoice({ value, onChoose, before }: RoleChoiceProps) {
  const { t } = useTranslation(['console/operators', 'console/shared'])
  const { data } = useAbilityTableQuery()
  const has = (role: OperatorRole | null, roles: readonly OperatorRole[]) =>
    role !== null && roles.includes(role)
  const abilities = data?.abilities ?? []
  const gained = abilities.filter(({ roles }) => has(value, roles) && !has(before, roles))
  const lost = abilities.filter(({ roles }) => !has(value, roles) && has(before, roles))
  return (
    <>
      <SelectField
        label={t('role')}
        value={value}
        hint={t(`roleText.${value}`)}
        onChange={(event) => {
          const role = data?.roles.find((each) => each === event.target.value)
          if (role !== undefined) onChoose(role)
        }}
      >
        {(data?.roles ?? [value]).map((role) => (
          <option key={role} value={role}>
            {t(`console/shared:role.${role}`)}
          </option>
        ))}
      </SelectField>
      <Changes title={t('gains')} names={gained.map(({ name }) => name)} />
      <Changes title={t('loses')} names={lost.map(({ name }) => name)} />
    </>
  )
}

function Changes({ title, names }: { title: string; names: readonly Ability[] }) {
  const { t } = useTranslation('console/operators')
  if (names.length === 0) return null
  return (
    <div className="panel stack-8 operators-changes">
      <strong className="small">{title}</strong>
      <ul className="operators-list small">
        {names.map((name) => (
          <li key={name}>{t(`ability.${name}`)}</li>
        ))}
      </ul>
    </div>
  )
}
