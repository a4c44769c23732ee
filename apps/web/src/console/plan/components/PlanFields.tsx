import { useFieldArray, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { region } from '../../../api/region.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field, FieldError } from '../../../ui/Field.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import {
  isOptional,
  type PlanField,
  plainPercent,
  SECTIONS,
  type SectionErrors,
  type SectionKey,
  type TextKind,
  type TextPath,
  type TogglePath,
} from '../planFields.ts'
import { isOperators, isWhole, MOST_LEVELS, MOST_THRESHOLDS, type PlanForm, plainText } from '../planForm.ts'

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
    <fieldset className="card card-pad plan-fieldset stack-14">
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
    return plainText(kind, typed, region()) !== null || t(`edit.wrong.${kind}`)
  }
  const isZone = kind === 'zone'
  return (
    <>
      <Field
        label={t(`field.${path}`)}
        inputMode={isZone ? 'text' : isWhole(kind) ? 'numeric' : 'decimal'}
        autoComplete="off"
        spellCheck={false}
        optional={isOptional(path)}
        hint={kind === 'multiple' ? t('edit.capHint') : undefined}
        error={getFieldState(path, formState).error?.message}
        {...(suffix === undefined ? {} : { suffix })}
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

function useSuffix(kind: TextKind): string | undefined {
  const { t } = useTranslation('console/plan')
  const suffixes: Partial<Record<TextKind, string>> = {
    amount: 'USD',
    percent: '%',
    multiple: t('edit.times'),
    days: t('edit.days'),
    minutes: t('edit.minutes'),
  }
  return suffixes[kind]
}

/** The direct levels, from the sponsor up: as many as there are, added at the end and removed anywhere. */
function LevelsField() {
  const { t } = useTranslation('console/plan')
  const { register, formState } = useFormContext<PlanForm>()
  const { fields, append, remove } = useFieldArray<PlanForm, 'direct.levels'>({ name: 'direct.levels' })
  const validate = (typed: string) => plainPercent(typed) !== null || t('edit.wrong.percent')
  return (
    <div className="plan-wide plan-levels">
      {fields.map((field, index) => {
        const level = index + 1
        return (
          <Field
            key={field.id}
            label={t('level', { level })}
            inputMode="decimal"
            autoComplete="off"
            suffix="%"
            error={formState.errors.direct?.levels?.[index]?.percent?.message}
            action={
              fields.length === 1 ? null : (
                <RemoveButton label={t('edit.removeLevel', { level })} onRemove={() => remove(index)} />
              )
            }
            {...register(`direct.levels.${index}.percent`, { validate })}
          />
        )
      })}
      {fields.length >= MOST_LEVELS ? null : (
        <AddButton text={t('edit.addLevel')} onAdd={() => append({ percent: '' })} />
      )}
    </div>
  )
}

/** From which amount on how many operators approve a withdrawal; the first counts from nothing. */
function ApprovalsField() {
  const { t } = useTranslation('console/plan')
  const { fields, append, remove } = useFieldArray<PlanForm, 'withdrawals.approvals'>({
    name: 'withdrawals.approvals',
  })
  return (
    <div className="plan-wide plan-approvals">
      {fields.map((field, index) => (
        <Threshold key={field.id} index={index} onRemove={() => remove(index)} />
      ))}
      {fields.length >= MOST_THRESHOLDS ? null : (
        <AddButton text={t('edit.addThreshold')} onAdd={() => append({ from: '', operators: '' })} />
      )}
    </div>
  )
}

function Threshold({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation('console/plan')
  const { register, formState } = useFormContext<PlanForm>()
  const errors = formState.errors.withdrawals?.approvals?.[index]
  const isFirst = index === 0
  return (
    <>
      <Field
        label={t('edit.thresholdFrom')}
        inputMode="decimal"
        autoComplete="off"
        suffix="USD"
        readOnly={isFirst}
        error={errors?.from?.message}
        {...register(`withdrawals.approvals.${index}.from`, {
          validate: (typed: string) =>
            plainText('amount', typed, region()) !== null || t('edit.wrong.amount'),
        })}
      />
      <Field
        label={t('edit.thresholdOperators')}
        inputMode="numeric"
        autoComplete="off"
        error={errors?.operators?.message}
        action={
          isFirst ? null : (
            <RemoveButton label={t('edit.removeThreshold', { number: index + 1 })} onRemove={onRemove} />
          )
        }
        {...register(`withdrawals.approvals.${index}.operators`, {
          validate: (typed: string) => isOperators(typed) || t('edit.wrong.operators'),
        })}
      />
    </>
  )
}

function RemoveButton({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className="field-action centred"
      aria-label={label}
      title={label}
      onClick={onRemove}
    >
      <IconX size={17} stroke={1.7} aria-hidden="true" />
    </button>
  )
}

function AddButton({ text, onAdd }: { text: string; onAdd: () => void }) {
  const icon = <IconPlus size={16} stroke={1.8} aria-hidden="true" />
  return (
    <Button size="small" kind="quiet" className="plan-add" icon={icon} onClick={onAdd}>
      {text}
    </Button>
  )
}
