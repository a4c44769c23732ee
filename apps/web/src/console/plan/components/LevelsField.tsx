import { useFieldArray, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { IconPlus, IconX } from '../../../ui/icons.ts'
import { plainPercent } from '../percentage.ts'
import { MOST_LEVELS, type PlanForm } from '../planForm.ts'

/** The direct levels, from the sponsor up: as many as there are, added at the end and removed anywhere. */
export function LevelsField() {
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
                <button
                  type="button"
                  className="field-action"
                  aria-label={t('edit.removeLevel', { level })}
                  title={t('edit.removeLevel', { level })}
                  onClick={() => remove(index)}
                >
                  <IconX size={17} stroke={1.7} aria-hidden="true" />
                </button>
              )
            }
            {...register(`direct.levels.${index}.percent`, { validate })}
          />
        )
      })}
      {fields.length >= MOST_LEVELS ? null : (
        <Button
          size="small"
          kind="quiet"
          className="plan-add"
          icon={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => append({ percent: '' })}
        >
          {t('edit.addLevel')}
        </Button>
      )}
    </div>
  )
}
