import { useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { language } from '../../../api/language.ts'
import { Field, FieldError } from '../../../ui/Field.tsx'
import {
  isOptional,
  type PlanField,
  SECTIONS,
  type SectionErrors,
  type SectionKey,
  type TextKind,
  type TextPath,
  type TogglePath,
} from '../planFields.ts'
import { type PlanForm, plainText } from '../planForm.ts'
import { ApprovalsField } from './ApprovalsField.tsx'
import { LevelsField } from './LevelsField.tsx'

/** Every setting of a plan as a field, in the sections that the plan is read in. */
export function PlanFields({ sections }: { sections: SectionErrors }) {
  return (
    <div className="plan-sections">
      {SECTIONS.map(({ key, fields }) => (
        <SectionFields key={key} name={key} fields={fields} error={sections[key]} />
      ))}
    </div>
  )
}

interface SectionFieldsProps {
  name: SectionKey
  fields: readonly PlanField[]
  error: string | undefined
}

function SectionFields({ name, fields, error }: SectionFieldsProps) {
  const { t } = useTranslation('console/plan')
  return (
    <fieldset className="card card-pad plan-fieldset">
      <legend className="visually-hidden">{t(`section.${name}.title`)}</legend>
      <div>
        <h3>{t(`section.${name}.title`)}</h3>
        <p className="muted small">{t(`section.${name}.text`)}</p>
      </div>
      {error === undefined ? null : <FieldError text={error} />}
      <div className="plan-fields">
        {fields.map((field) => (
          <PlanInput key={field.path} field={field} />
        ))}
      </div>
    </fieldset>
  )
}

function PlanInput({ field }: { field: PlanField }) {
  if (field.kind === 'levels') return <LevelsField />
  if (field.kind === 'approvals') return <ApprovalsField />
  if (field.kind === 'toggle') return <ToggleField path={field.path} />
  return <TextField path={field.path} kind={field.kind} />
}

function ToggleField({ path }: { path: TogglePath }) {
  const { t } = useTranslation('console/plan')
  const { register, getFieldState, formState } = useFormContext<PlanForm>()
  return (
    <div className="plan-wide">
      <label className="check">
        <input type="checkbox" {...register(path)} />
        <span>{t(`field.${path}`)}</span>
      </label>
      <FieldError text={getFieldState(path, formState).error?.message} />
    </div>
  )
}

const ZONES = 'plan-time-zones'

function TextField({ path, kind }: { path: TextPath; kind: TextKind }) {
  const { t } = useTranslation('console/plan')
  const { register, getFieldState, formState } = useFormContext<PlanForm>()
  const suffix = useSuffix(kind)
  const validate = (typed: string) => {
    if (typed.trim() === '' && isOptional(path)) return true
    return plainText(kind, typed, language) !== null || t(`edit.wrong.${kind}`)
  }
  const isZone = kind === 'zone'
  return (
    <>
      <Field
        label={t(`field.${path}`)}
        inputMode={
          isZone
            ? 'text'
            : kind === 'amount' || kind === 'percent' || kind === 'multiple'
              ? 'decimal'
              : 'numeric'
        }
        autoComplete="off"
        spellCheck={false}
        optional={isOptional(path)}
        hint={kind === 'multiple' ? t('edit.capHint') : undefined}
        error={getFieldState(path, formState).error?.message}
        {...(suffix === null ? {} : { suffix })}
        {...(isZone ? { list: ZONES } : {})}
        {...register(path, { validate })}
      />
      {isZone ? <ZoneList /> : null}
    </>
  )
}

function ZoneList() {
  return (
    <datalist id={ZONES}>
      {Intl.supportedValuesOf('timeZone').map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  )
}

function useSuffix(kind: TextKind): string | null {
  const { t } = useTranslation('console/plan')
  switch (kind) {
    case 'amount':
      return 'USD'
    case 'percent':
      return '%'
    case 'multiple':
      return t('edit.times')
    case 'days':
      return t('edit.days')
    case 'minutes':
      return t('edit.minutes')
    default:
      return null
  }
}
