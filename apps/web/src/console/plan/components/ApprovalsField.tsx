import { useFieldArray, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { language } from '../../../api/language.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { isOperators, MOST_THRESHOLDS, type PlanForm, plainText } from '../planForm.ts'

/** From which amount on how many operators approve a withdrawal; the first counts from nothing. */
export function ApprovalsField() {
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
        <Button
          size="small"
          kind="quiet"
          className="plan-add"
          icon={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => append({ from: '', operators: '' })}
        >
          {t('edit.addThreshold')}
        </Button>
      )}
    </div>
  )
}

function Threshold({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { t } = useTranslation('console/plan')
  const { register, formState } = useFormContext<PlanForm>()
  const errors = formState.errors.withdrawals?.approvals?.[index]
  const isFirst = index === 0
  const remove = t('edit.removeThreshold', { number: index + 1 })
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
            plainText('amount', typed, language) !== null || t('edit.wrong.amount'),
        })}
      />
      <Field
        label={t('edit.thresholdOperators')}
        inputMode="numeric"
        autoComplete="off"
        error={errors?.operators?.message}
        action={
          isFirst ? null : (
            <button
              type="button"
              className="field-action"
              aria-label={remove}
              title={remove}
              onClick={onRemove}
            >
              <IconX size={17} stroke={1.7} aria-hidden="true" />
            </button>
          )
        }
        {...register(`withdrawals.approvals.${index}.operators`, {
          validate: (typed: string) => isOperators(typed) || t('edit.wrong.operators'),
        })}
      />
    </>
  )
}
