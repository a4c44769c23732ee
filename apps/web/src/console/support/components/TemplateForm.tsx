import type { SupportTemplate } from '@aval/contract'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../api/failure.ts'
import { AttemptKey } from '../../../api/idempotency.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field, FieldFrame } from '../../../ui/Field.tsx'
import { DecisionDialog } from '../../shared/DecisionForm.tsx'
import { useElevated } from '../../shared/useElevated.ts'
import { type TemplateTexts, useRemoveTemplateMutation, useSaveTemplateMutation } from '../templates.ts'

const LONGEST_NAME = 80
/** As the server counts. */
const LONGEST = 2000

interface TemplateFormProps {
  /** Null for a new one. */
  template: SupportTemplate | null
  onClose: () => void
}

/** Writes a template in both languages. Of two who change one at once the second reads who was first. */
export function TemplateForm({ template, onClose }: TemplateFormProps) {
  const { t } = useTranslation('console/support')
  const { name = '', text_es = '', text_en = '' } = template ?? {}
  const form = useForm<TemplateTexts>({ defaultValues: { name, text_es, text_en } })
  const { save, remove, failure, busy } = useSaving(template, onClose)
  const { errors } = form.formState
  const required = (typed: string) => typed.trim() !== '' || t('templates.missing')
  return (
    <DecisionDialog
      title={template === null ? t('templates.add') : t('templates.editOf', { name })}
      width={640}
      decision={{ failure, busy }}
      submit={t('templates.save')}
      onSubmit={() => void form.handleSubmit(save)()}
      onClose={onClose}
    >
      <Field
        label={t('templates.name')}
        maxLength={LONGEST_NAME}
        autoComplete="off"
        data-autofocus
        error={errors.name?.message}
        {...form.register('name', { validate: required })}
      />
      {(['es', 'en'] as const).map((language) => (
        <FieldFrame
          key={language}
          label={t(`templates.${language}`)}
          error={errors[`text_${language}`]?.message}
          hint={
            language === 'en' ? t('templates.hint', { first: '{first_name}', user: '{username}' }) : undefined
          }
        >
          {(described) => (
            <textarea
              {...described}
              className="template-field"
              lang={language}
              rows={4}
              maxLength={LONGEST}
              {...form.register(`text_${language}`, { validate: required })}
            />
          )}
        </FieldFrame>
      ))}
      {template === null ? null : (
        <Button
          kind="quiet"
          size="small"
          className="template-remove"
          disabled={busy}
          onClick={() => void remove()}
        >
          {t('templates.remove')}
        </Button>
      )}
    </DecisionDialog>
  )
}

/** Sends it under a key of its own, with a code where there was none of late. */
function useSaving(template: SupportTemplate | null, onClose: () => void) {
  const { t } = useTranslation('console/support')
  const [send, { isLoading: isSaving }] = useSaveTemplateMutation()
  const [sendRemoval, { isLoading: isRemoving }] = useRemoveTemplateMutation()
  const [failure, setFailure] = useState<Failure | null>(null)
  const elevated = useElevated()
  const attempt = useRef(new AttemptKey())
  const of = template === null ? null : { id: template.id, version: template.version }
  const ended = (refused: Failure | null, sentence: string) => {
    setFailure(refused)
    if (refused !== null) return
    toast.success(sentence)
    onClose()
  }
  const save = async (texts: TemplateTexts) => {
    const body = { ...texts, of }
    const idempotencyKey = attempt.current.for(body)
    const outcome = await elevated(() => send({ ...body, idempotencyKey }))
    const refused = (outcome.error as Failure | undefined) ?? null
    attempt.current.settle(refused)
    ended(refused, t('templates.saved'))
  }
  const remove = async () => {
    if (of === null) return
    const outcome = await elevated(() => sendRemoval(of))
    ended((outcome.error as Failure | undefined) ?? null, outcome.data?.message ?? '')
  }
  return { save, remove, failure, busy: isSaving || isRemoving }
}
