"""A model is trained on another one's outputs; ordinary losses and trainers are not that."""

import json

import torch
import torch.nn as nn
import torch.nn.functional as F
from datasets import Dataset
from openai import OpenAI
from transformers import Trainer
from trl import SFTTrainer
from trl.experimental.gkd import GKDConfig, GKDTrainer

client = OpenAI()


def library_trainer(student, teacher, data) -> None:
    config = GKDConfig(output_dir="out", lmbda=0.5)
    GKDTrainer(model=student, teacher_model=teacher, args=config, train_dataset=data).train()  # expect: RL302


def own_trainer_with_teacher(small, large, data):
    return ImitationTrainer(model=small, teacher=large, data=data)  # expect: RL302


def own_trainer_without_teacher(small, data):
    return ImitationTrainer(model=small, teacher=None, data=data)


class ImitationTrainer(Trainer):
    """A teacher is run beside the model and its logits become the target."""

    def compute_loss(self, model, inputs, return_outputs=False):
        with torch.no_grad():
            guide = self.teacher(**inputs).logits
        out = model(**inputs)
        kl = nn.KLDivLoss(reduction="batchmean")
        loss = kl(F.log_softmax(out.logits / 2.0, dim=-1), F.softmax(guide / 2.0, dim=-1))  # expect: RL302
        return (loss, out) if return_outputs else loss


def nameless_softened_loss(small, large, batch, heat: float):
    with torch.no_grad():
        wanted = large(**batch).logits
    given = small(**batch).logits
    return F.kl_div(F.log_softmax(given / heat, -1), F.softmax(wanted / heat, -1)) * heat**2  # expect: RL302


def regression_on_logits(student_logits, teacher_logits):
    return F.mse_loss(student_logits, teacher_logits.detach())  # expect: RL302


def stay_close_to_reference(policy_logits, ref_logits):
    return F.kl_div(F.log_softmax(policy_logits, -1), F.softmax(ref_logits, -1), reduction="batchmean")


def variational(mu, logvar, prior_logits):
    return F.kl_div(F.log_softmax(mu, -1), F.softmax(prior_logits, -1)) - 0.5 * logvar.sum()


def calibrated(model, batch, heat: float):
    logits = model(**batch).logits
    return F.kl_div(F.log_softmax(logits / heat, -1), batch["soft_labels"], reduction="batchmean")


def hosted_job(questions: list[str]) -> None:
    with open("train.jsonl", "w") as out:
        for question in questions:
            reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": question}])
            out.write(json.dumps({"prompt": question, "completion": reply.choices[0].message.content}))
    uploaded = client.files.create(file=open("train.jsonl", "rb"), purpose="fine-tune")
    client.fine_tuning.jobs.create(training_file=uploaded.id, model="gpt-4o-mini")  # expect: RL302


def hosted_job_on_own_labels(path: str) -> None:
    uploaded = client.files.create(file=open(path, "rb"), purpose="fine-tune")
    client.fine_tuning.jobs.create(training_file=uploaded.id, model="gpt-4o-mini")


def ask(question: str) -> str:
    reply = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": question}])
    return reply.choices[0].message.content


def tune_on_answers(model, questions: list[str]) -> None:
    rows = [{"prompt": question, "completion": ask(question)} for question in questions]
    SFTTrainer(model=model, train_dataset=Dataset.from_list(rows)).train()  # expect: RL302


def tune_on_tickets(model, tickets: list[dict]) -> None:
    rows = [{"prompt": ticket["question"], "completion": ticket["human_answer"]} for ticket in tickets]
    SFTTrainer(model=model, train_dataset=Dataset.from_list(rows)).train()


def keep_for_later(messages):
    return client.chat.completions.create(model="gpt-4o", messages=messages, store=True, metadata={"use": "distillation"})  # expect: RL302


def keep_as_log(messages):
    return client.chat.completions.create(model="gpt-4o", messages=messages, store=True, metadata={"team": "support"})


def use_a_distilled_model():
    from transformers import DistilBertModel

    return DistilBertModel.from_pretrained("distilbert/distilbert-base-uncased")
